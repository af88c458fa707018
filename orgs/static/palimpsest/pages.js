// The content security policy forbids inline styles and code made from text: htmx does without both.
htmx.config.includeIndicatorStyles = false;
htmx.config.allowEval = false;

// The frame is hidden until Alpine has run, and a hidden box takes no focus.
document.addEventListener("alpine:initialized", () => {
  if (document.activeElement === document.body) document.querySelector("[autofocus]")?.focus();
});
