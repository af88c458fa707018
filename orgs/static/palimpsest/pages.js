// The content security policy forbids inline styles and code made from text; unfold's frame does without both.
htmx.config.includeIndicatorStyles = false;
htmx.config.allowEval = false;
htmx.config.historyCacheSize = 0; // it would keep records' text in the browser after signing out
htmx.config.refreshOnHistoryMiss = true;

// Whose session has ended meanwhile is asked to sign in, in the whole window.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.responseURL.includes("/login/")) {
    event.preventDefault();
    location.reload();
  }
});

// A new key is longer than a phone is wide: whoever touches it has all of it selected, ready to be copied.
document.addEventListener("focusin", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.readOnly) event.target.select();
});

// Alpine's build for such policies reads plain expressions alone. Three of the frame's are more than that.
document.addEventListener("alpine:init", () => {
  const kept = "sidebarDesktopOpen";
  Alpine.data("theme", theme);
  Alpine.data("frame", () => ({
    activeTab: "",
    sidebarMobileOpen: false,
    sidebarDesktopOpen: localStorage.getItem(kept) !== "0",
    init() {
      this.$watch(kept, (open) => localStorage.setItem(kept, open ? "1" : "0"));
    },
  }));
  document.body.setAttribute("x-data", "frame");
  document.body.removeAttribute("x-init");
  for (const one of document.querySelectorAll(`[x-on\\:click*="localStorage"]`)) {
    one.setAttribute("x-on:click", `${kept} = !${kept}`);
  }
});

// The frame is hidden until Alpine has run and, a moment later, uncovered it; a hidden box takes no focus.
document.addEventListener("alpine:initialized", () => {
  setTimeout(() => {
    if (document.activeElement === document.body) document.querySelector("[autofocus]")?.focus();
  });
});
