// The element in a notebook: anywidget calls `render` with the widget's values, and keeps both sides the same.

const SHOWN = ["board", "tour", "look", "speed"];

/** Whether the notebook around is dark; null where it does not say. */
function isDark() {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight !== undefined) return jpThemeLight === "false";
  if (vscodeThemeKind !== undefined) return vscodeThemeKind.includes("dark");
  return null;
}

const themeOf = (asked) => {
  if (asked !== "auto" || isDark() === null) return asked;
  return isDark() ? "dark" : "light";
};

/** @param {{model: any, el: HTMLElement}} place */
export function render({ model, el }) {
  const element = /** @type {import("./element.js").KnightsTour} */ (document.createElement("knights-tour"));

  function show() {
    for (const name of SHOWN) element.setAttribute(name, model.get(name));
    element.toggleAttribute("numbers", model.get("numbers"));
    element.setAttribute("theme", themeOf(model.get("theme")));
  }

  show();
  // -1 is the whole tour.
  if (model.get("step") >= 0) element.setAttribute("step", model.get("step"));
  const onstep = () => {
    model.set("step", element.step);
    model.save_changes();
  };
  const goto = () => {
    element.step = model.get("step");
  };
  element.addEventListener("step", onstep);
  for (const name of [...SHOWN, "numbers", "theme"]) model.on(`change:${name}`, show);
  model.on("change:step", goto);
  el.append(element);
  return () => {
    for (const name of [...SHOWN, "numbers", "theme"]) model.off(`change:${name}`, show);
    model.off("change:step", goto);
    element.remove();
  };
}
