// Keys that work anywhere on the page, and the list of all keys; single letters can be switched off. Also dropped files
// and text, and text pasted outside fields.

import { h, icon, iconButton, say, terms } from "../dom.js";
import { textOf } from "../model/origin.js";
import { keepText, keptText } from "../model/storage.js";
import { PLACES } from "../views/table.js";
import { texts } from "../language.js";

// Pages of the server's guide.
const GUIDE = ["page", "conditions", "words"];

const isOn = () => keptText("keys") !== "off";

/** Keep the later one of two meanings of a key. */
const unrepeated = (keys) => [...new Map(keys)];

export function makeHelp(app) {
  const groups = h("div.key-groups");
  const toggle = h("input", {
    type: "checkbox",
    checked: isOn(),
    onchange: () => keepText("keys", toggle.checked ? "on" : "off"),
  });
  const link = (place) => {
    const attributes = { href: `guide.html#${place}`, hreflang: "en", target: "_blank", rel: "noopener" };
    return h("a", attributes, texts.help.guideParts[place]);
  };
  const about = h(
    "div.about",
    h("p", texts.help.what),
    terms(
      "keys",
      Object.keys(PLACES).map((place) => [texts.page.places[place], texts.help.places[place]]),
    ),
    h("p.soft", texts.help.click),
    h(
      "p",
      texts.help.guide,
      GUIDE.flatMap((place, i) => [i ? ", " : "", link(place)]),
      texts.help.commandLine,
    ),
  );
  const close = iconButton("close", texts.common.close, () => dialog.close());
  const dialog = h(
    "dialog.help",
    { "aria-labelledby": "help-title" },
    h("div.dialog-head", h("h2", { id: "help-title" }, texts.help.title), close),
    about,
    groups,
    h("label.check", toggle, h("span", texts.help.single)),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  const open = () => {
    const group = (title, keys) =>
      h(
        "section",
        h("h3", title),
        terms(
          "keys",
          keys.map(([key, what]) => [h("kbd", key), what]),
        ),
      );
    groups.replaceChildren(
      ...(app.view.help ? [group(app.view.title, unrepeated(app.view.help))] : []),
      group(texts.help.onBoard, texts.help.boardKeys),
      group(texts.help.anywhere, texts.help.keys),
    );
    dialog.showModal();
  };
  return { dialog, open, button: h("button", { onclick: open }, icon("help"), texts.help.title) };
}

export function listenToKeys(app) {
  addEventListener("keydown", (event) => {
    const { key } = event;
    const target = /** @type {Element} */ (event.target);
    if (document.querySelector("dialog[open]")) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && "zyZY".includes(key)) {
      // A text field has an undo of its own.
      if (target.closest("input:not([type=radio], [type=checkbox], [type=range]), textarea")) return;
      const act = key.toLowerCase() === "y" || event.shiftKey ? app.view.redo : app.view.undo;
      if (!act) return;
      event.preventDefault();
      act();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest("input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select")) return;
    // Space and Enter belong to the focused button or choice, arrows to the focused choice or slider.
    const isBusy = target.closest("button, summary, a, [role=application]") && [" ", "Enter"].includes(key);
    const isChoosing = target.closest("input") && key.startsWith("Arrow");
    const isTicking = target.closest("input:not([type=range])") && key === " ";
    if (isBusy || isChoosing || isTicking) return;
    // A view can handle digits itself. On the board they work even if single keys are off.
    const isDigit = /^\d$/.test(key) && app.view.ondigit;
    const isTyped = isDigit && target.closest("[role=application]");
    if (!isOn() && !isTyped && key.length === 1 && key !== " ") return;
    const places = Object.values(PLACES);
    const act =
      (isDigit && (() => app.view.ondigit(key))) ||
      {
        s: app.look.nextStyle,
        "#": () => {
          app.update({ numbers: !app.state.numbers });
          say(app.state.numbers ? texts.help.numbersOn : texts.help.numbersOff);
        },
        "[": () => app.look.turn(270, texts.help.turnedLeft),
        "]": () => app.look.turn(90, texts.help.turnedRight),
        m: () => app.look.turn("vertical", texts.help.mirrored),
        c: app.save.copy,
        "?": app.help.open,
      }[key] ||
      app.view.keys?.[key] ||
      (/^[1-4]$/.test(key) ? () => app.update({ view: places[Number(key) - 1] }) : null);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** cover: overlay while a file is dragged over the page. read(text): called with the dropped or pasted text. */
export function listenToWhatIsBrought(/** @type {HTMLElement} */ cover, /** @type {(text: string) => unknown} */ read) {
  let depth = 0;
  const hasFile = (event) =>
    [...(event.dataTransfer?.types ?? [])].some((type) => type === "Files" || type === "text/plain");
  addEventListener("dragenter", (event) => {
    if (!hasFile(event)) return;
    depth += 1;
    cover.hidden = false;
  });
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    cover.hidden = depth === 0;
  });
  addEventListener("dragover", (event) => hasFile(event) && event.preventDefault());
  async function take(/** @type {DataTransfer | null} */ data) {
    const [file] = data?.files ?? [];
    const text = file ? await textOf(file) : (data?.getData("text/plain") ?? "");
    if (text.trim()) read(text);
  }
  addEventListener("drop", (event) => {
    depth = 0;
    cover.hidden = true;
    if (!hasFile(event)) return;
    event.preventDefault();
    take(event.dataTransfer);
  });
  addEventListener("paste", (event) => {
    if (!(/** @type {Element} */ (event.target).closest("input, textarea, select"))) take(event.clipboardData);
  });
}
