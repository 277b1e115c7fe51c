// Keys that work anywhere on the page, and the list of all keys. Single letters can be switched off.

import { h, iconButton, say } from "../dom.js";
import { ZOOM_KEYS } from "./zoom.js";

const ANYWHERE = {
  "1 – 9": "the views, from left to right",
  s: "the next style of drawing",
  "#": "step numbers",
  "[ ]": "turn left, turn right",
  m: "mirror",
  c: "copy the link",
  "Ctrl+Z, Ctrl+Y": "undo, redo",
  "?": "this help",
};
const ON_THE_BOARD = { "arrow keys": "move the cursor", "Enter, Space": "choose the square under the cursor" };

// Parts of the guide, which the server has beside the page.
const GUIDE = [
  ["page", "all views"],
  ["conditions", "conditions"],
  ["words", "what the words mean"],
];

const isOn = () => {
  try {
    return localStorage.getItem("keys") !== "off";
  } catch {
    return true;
  }
};

export function makeHelp(app) {
  const rows = (keys) =>
    Object.entries(keys).map(([key, what]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)));
  const groups = h("div.key-groups");
  const toggle = h("input", {
    type: "checkbox",
    checked: isOn(),
    onchange: () => {
      try {
        localStorage.setItem("keys", toggle.checked ? "on" : "off");
      } catch {
        // Without storage the keys stay on.
      }
    },
  });
  const about = h(
    "div.about",
    {},
    h(
      "p",
      {},
      "A knight’s tour visits every square of a board once, by moves of a knight. It is closed if a last move leads back to the start.",
    ),
    h("dl.keys.views-list"),
    h(
      "p.soft",
      {},
      "A click on the board sets the start in Find, moves the knight in Play, and fills in numbers in Puzzle.",
    ),
    h(
      "p",
      {},
      "The guide: ",
      ...GUIDE.flatMap(([place, words], i) => [
        i ? ", " : "",
        h("a", { href: `guide.html#${place}`, target: "_blank", rel: "noopener" }, words),
      ]),
      ". At the command line, knightstour --help lists what else there is.",
    ),
  );
  const close = iconButton("close", "Close", () => dialog.close());
  const dialog = h(
    "dialog.help",
    { "aria-labelledby": "help-title" },
    h("div.dialog-head", {}, h("h2", { id: "help-title" }, "Help"), close),
    about,
    groups,
    h("label.check", {}, toggle, h("span", {}, "Single keys work anywhere on the page")),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  const open = () => {
    const group = (title, keys) => h("section", {}, h("h3", {}, title), h("dl.keys", {}, rows(keys)));
    about
      .querySelector("dl")
      .replaceChildren(
        ...Object.values(app.views).map((view) => h("div", {}, h("dt", {}, view.title), h("dd", {}, view.lead))),
      );
    groups.replaceChildren(
      ...(app.view.help ? [group(app.view.title, app.view.help)] : []),
      group("On the board", { ...ON_THE_BOARD, ...ZOOM_KEYS }),
      group("Anywhere", ANYWHERE),
    );
    dialog.showModal();
  };
  return { dialog, open, button: iconButton("help", "Help", open) };
}

export function listenToKeys(app) {
  addEventListener("keydown", (event) => {
    const { key } = event;
    const target = /** @type {Element} */ (event.target);
    if (document.querySelector("dialog[open]")) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && "zyZY".includes(key)) {
      // A field of text has an undo of its own.
      if (target.closest("input:not([type=radio], [type=checkbox], [type=range]), textarea")) return;
      const isRedo = key.toLowerCase() === "y" || event.shiftKey;
      event.preventDefault();
      if (isRedo) (app.view.redo ?? app.redo).call(app);
      else (app.view.undo ?? app.undo).call(app);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest("input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select")) return;
    // Space and Enter belong to the button or choice that has the focus, arrows to the choice or slider.
    const isBusy = target.closest("button, summary, a, [role=application]") && [" ", "Enter"].includes(key);
    const isChoosing = target.closest("input") && key.startsWith("Arrow");
    const isTicking = target.closest("input:not([type=range])") && key === " ";
    if (isBusy || isChoosing || isTicking) return;
    // A view may take digits for itself; on the board they are typed, and work even where single keys do not.
    const isDigit = /^\d$/.test(key) && app.view.ondigit;
    const isTyped = isDigit && target.closest("[role=application]");
    if (!isOn() && !isTyped && key.length === 1 && key !== " ") return;
    const views = Object.keys(app.views);
    const act =
      (isDigit && (() => app.view.ondigit(key))) ||
      (event.shiftKey && app.zoom.isZoomed && app.zoomTools.arrows[key]) ||
      app.zoomTools.keys[key] ||
      {
        s: app.look.nextStyle,
        "#": () => {
          app.update({ numbers: !app.state.numbers });
          say(app.state.numbers ? "Numbers on" : "Numbers off");
        },
        "[": () => app.look.turn(270, "Turned left"),
        "]": () => app.look.turn(90, "Turned right"),
        m: () => app.look.turn("vertical", "Mirrored"),
        c: app.save.copy,
        "?": app.help.open,
      }[key] ||
      app.view.keys?.[key] ||
      (/^[1-9]$/.test(key) ? () => app.update({ view: views[Number(key) - 1] }) : null);
    if (!act) return;
    event.preventDefault();
    act();
  });
}
