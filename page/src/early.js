// Loaded before the page is drawn, to apply the chosen colours without a flash of the system's. It is not a module,
// because modules run after the page is parsed. panels/menu.js does the rest.

try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system's colours apply.
}
