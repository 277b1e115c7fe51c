// Choosing a method and its options, as the server lists them.

import { field, h, menu } from "./dom.js";

// The values of options that have few are told in their descriptions: "order of the moves: classic, random or ...".
const CHOICES = {
  order: ["classic", "random", "warnsdorff"],
  prune: ["none", "all", "stranded", "forced", "closing", "connectivity", "islands"],
  ties: ["roth", "first", "random", "pohl", "squirrel"],
  randomness: ["1", "0", "2"],
};

/**
 * A menu of methods with the fields of its options below; `onchange({method, options})` when either is changed.
 * isOffered(name, row): whether a method stands in the menu.
 */
export function makeMethodPicker(methods, value, onchange, { label = "Method", isOffered = () => true } = {}) {
  let { method, options } = value;
  const names = Object.keys(methods).filter((name) => isOffered(name, methods[name]));
  const pick = menu(names.map((name) => [name, name]), method, (name) => {
    [method, options] = [name, {}];
    show();
    onchange({ method, options });
  });
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
    fields.replaceChildren(...Object.entries(row?.options ?? {}).map(([name, about]) => {
      const given = options[name] ?? "";
      const choices = CHOICES[name];
      const input = choices
        ? menu([["", "default"], ...[...new Set([...choices, ...(given ? [given] : [])])].map((x) => [x, x])], given, (x) => change(name, x))
        : h("input", { type: "text", value: given, autocomplete: "off", placeholder: "default", onchange: (event) => change(name, event.target.value.trim()) });
      return field(name, input, about);
    }));
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
  Object.fromEntries(Object.entries(options).map(([name, text]) => [name, /^-?\d+$/.test(text) && name !== "order" ? Number(text) : text]));
