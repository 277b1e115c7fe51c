// Loaded before the page is drawn: the colours that were chosen here, so that those of the system do not flash up first.
// It is no module, for those wait until the page is there. panels/menu.js does the rest.

try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the colours are those of the system.
}
