// The page in a notebook: a frame whose requests the notebook's own Python processes (widget.py). anywidget calls
// `render`.

/** The theme of the surrounding notebook; "auto" if it sets none. */
function themeAround() {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (!jpThemeLight && !vscodeThemeKind) return "auto";
  return jpThemeLight === "false" || vscodeThemeKind?.includes("dark") ? "dark" : "light";
}

/** Return a function that fetches API responses, and the page itself, from Python. */
function asking(/** @type {any} */ model) {
  /** @type {Map<string, {answer: (response: Response) => void, stream?: ReadableStreamDefaultController}>} */
  const open = new Map();
  model.on("msg:custom", ({ id, kind, status, type }, [part]) => {
    const asked = open.get(id);
    if (kind === "head") {
      const body = new ReadableStream({ start: (stream) => void Object.assign(asked ?? {}, { stream }) });
      asked?.answer(new Response(body, { status, headers: { "Content-Type": type } }));
    } else if (kind === "part") asked?.stream?.enqueue(new Uint8Array(part.buffer));
    else if (open.delete(id)) asked?.stream?.close();
  });
  return (/** @type {string} */ path, /** @type {RequestInit} */ { body = "{}", signal } = {}) =>
    new Promise((answer, refuse) => {
      const id = crypto.randomUUID();
      signal?.addEventListener("abort", () => {
        refuse(signal.reason);
        if (open.delete(id)) model.send({ id });
      });
      open.set(id, { answer });
      model.send({ id, name: path.replace("api/", ""), body });
    });
}

async function render({ model, el }) {
  const frame = document.createElement("iframe");
  const ask = asking(model);
  const page = URL.createObjectURL(await (await ask("page")).blob());
  const follow = () => {
    /** @type {Window} */ (frame.contentWindow).location.hash = model.get("link");
  };
  // The page calls both (embed.py).
  const tell = (link) => {
    model.set("link", link);
    model.save_changes();
  };
  frame.dataset.theme = model.get("theme") === "auto" ? themeAround() : model.get("theme");
  Object.assign(frame.style, { width: "100%", height: `${model.get("height")}px`, border: "0" });
  Object.assign(frame, { ask, tell, src: `${page}#${model.get("link")}` });
  frame.addEventListener("load", () => {
    frame.title = frame.contentDocument?.title ?? "";
  });
  model.on("change:link", follow);
  el.append(frame);
  return () => {
    model.off("change:link", follow);
    URL.revokeObjectURL(page);
    frame.remove();
  };
}

export default { render };
