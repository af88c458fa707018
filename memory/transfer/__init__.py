"""Export and import: what one may see, as lines that another project can take in without loss."""
