// Choosing a method and its options, as the server lists them.

import { field, freshId, h, menu } from "./dom.js";

// Options that take more than one of a few words: several words, or others.
const FREE = new Set(["order", "prune"]);

/** The field of an option: a menu where there are only so many values, else text, with those values as proposals. */
function optionInput(name, choices, given, onchange) {
  if (choices.length && !FREE.has(name)) {
    return menu([["", "default"], ...choices.map((value) => [String(value), String(value)])], given, onchange);
  }
  const list = choices.length
    ? h(
        "datalist",
        { id: freshId("choices") },
        choices.map((value) => h("option", { value })),
      )
    : null;
  const input = h("input", {
    type: "text",
    value: given,
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "default",
    list: list?.id,
    onchange: () => onchange(input.value.trim()),
  });
  return Object.assign(input, { proposals: list });
}

/**
 * A menu of methods with the fields of its options below; `onchange({method, options})` when either is changed.
 * isOffered(name, row): whether a method stands in the menu.
 */
export function makeMethodPicker(methods, value, onchange, { label = "Method", isOffered = () => true } = {}) {
  let { method, options } = value;
  const names = Object.keys(methods).filter((name) => isOffered(name, methods[name]));
  const pick = menu(
    names.map((name) => [name, name]),
    method,
    (name) => {
      [method, options] = [name, {}];
      show();
      onchange({ method, options });
    },
  );
  const summary = h("p.soft.small");
  const fields = h("div.options");

  function change(name, text) {
    options = { ...options };
    if (text === "") delete options[name];
    else options[name] = text;
    onchange({ method, options });
  }

  function show() {
    pick.value = method;
    const row = methods[method];
    summary.textContent = row ? `${row.summary[0].toUpperCase()}${row.summary.slice(1)}. ${row.source}` : "";
    fields.replaceChildren(
      ...Object.entries(row?.options ?? {}).map(([name, about]) => {
        const input = optionInput(name, row.choices?.[name] ?? [], options[name] ?? "", (text) => change(name, text));
        const element = field(name, input, about);
        if (input.proposals) element.append(input.proposals);
        return element;
      }),
    );
  }
  show();
  const element = h("div.method-picker", {}, field(label, pick), summary, fields);
  element.show = (next) => {
    if (next.method === method && JSON.stringify(next.options) === JSON.stringify(options)) return;
    ({ method, options } = next);
    show();
  };
  return element;
}

/** Options as the API takes them: numbers as numbers. */
export const typedOptions = (options) =>
  Object.fromEntries(
    Object.entries(options).map(([name, text]) => [
      name,
      /^-?\d+(\.\d+)?$/.test(text) && name !== "order" ? Number(text) : text,
    ]),
  );
