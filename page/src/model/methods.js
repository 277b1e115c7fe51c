// Methods with their options, in links and in the API.

/**
 * A method and its options in the format of the API: `{method, options, workers}`, with numbers as numbers.
 * @param {Record<string, any>} methods the library's table
 * @param {import("./state.js").Way} way
 */
export function typed(methods, { method, options }) {
  const known = methods[method]?.options ?? {};
  const value = (name, text) => (known[name]?.kind === "str" || !/^-?\d+(\.\d+)?$/.test(text) ? text : Number(text));
  const { workers, ...rest } = Object.fromEntries(
    Object.entries(options).map(([name, text]) => [name, value(name, text)]),
  );
  return { method, options: rest, ...(workers === undefined ? {} : { workers }) };
}
