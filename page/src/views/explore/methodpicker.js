// Choosing a method and its options, as the server lists them.

import { field, freshId, h, menu, sentence } from "../../dom.js";
import { libraryWords, texts } from "../../language.js";

// What every method that shares its work out takes besides its own options.
const WORKERS = { kind: "int", choices: [], examples: [] };

const optionsOf = (row) => ({ ...row?.options, ...(row?.shares ? { workers: WORKERS } : {}) });

/** The field of an option: a menu where the values are few, else text, with examples as proposals. */
function optionInput({ choices, examples }, given, onchange) {
  if (choices.length)
    return menu([["", texts.methods.usual], ...choices.map((value) => [value, value])], given, onchange);
  const list = examples.length
    ? h(
        "datalist",
        { id: freshId("examples") },
        examples.map((value) => h("option", { value })),
      )
    : null;
  const input = h("input", {
    type: "text",
    value: given,
    autocomplete: "off",
    spellcheck: "false",
    placeholder: texts.methods.usual,
    list: list?.id,
    onchange: () => onchange(input.value.trim()),
  });
  return Object.assign(input, { proposals: list });
}

/**
 * A menu of methods with the fields of its options below; `onchange({method, options})` when either is changed.
 * isOffered(name, row): whether a method is in the menu.
 * @param {Record<string, any>} methods
 * @param {import("../../model/state.js").Way} value
 * @param {(way: import("../../model/state.js").Way) => void} onchange
 * @param {{isOffered?: (name: string, row: any) => boolean}} options
 */
export function makeMethodPicker(methods, value, onchange, { isOffered = () => true } = {}) {
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
  const summary = h("p.small");
  const source = h("p.soft.small.method-source");
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
    const { words, lang } = libraryWords("methods", method, row?.summary ?? "");
    summary.textContent = words && sentence(words);
    summary.lang = lang ?? "";
    source.replaceChildren(...(row ? [texts.common.source, h("span", { lang: "en" }, row.source)] : []));
    fields.replaceChildren(
      ...Object.entries(optionsOf(row)).map(([name, option]) => {
        const input = optionInput(option, options[name] ?? "", (text) => change(name, text));
        const element = field(texts.options[name] ?? name, input, option.help ?? texts.methods.workers);
        if (option.help) element.querySelector("small").lang = "en";
        if (input.proposals) element.append(input.proposals);
        return element;
      }),
    );
  }
  show();
  const element = h("div.method-picker", field(texts.methods.label, pick), summary, source, fields);
  element.show = (next) => {
    if (next.method === method && JSON.stringify(next.options) === JSON.stringify(options)) return;
    ({ method, options } = next);
    show();
  };
  return element;
}

/** A method and its options as the API takes them: `{method, options, workers}`, with numbers as numbers. */
export function typed(methods, { method, options }) {
  const known = optionsOf(methods[method]);
  const value = (name, text) => (known[name]?.kind === "str" || !/^-?\d+(\.\d+)?$/.test(text) ? text : Number(text));
  const { workers, ...rest } = Object.fromEntries(
    Object.entries(options).map(([name, text]) => [name, value(name, text)]),
  );
  return { method, options: rest, ...(workers === undefined ? {} : { workers }) };
}
