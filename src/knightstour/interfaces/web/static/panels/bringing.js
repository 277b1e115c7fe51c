// What somebody brings: a file or text that is dropped anywhere on the page, or pasted where nothing is written.

/** cover: what is seen while something is over the page. read(text): it was brought. */
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
  addEventListener("drop", async (event) => {
    depth = 0;
    cover.hidden = true;
    if (!hasFile(event)) return;
    event.preventDefault();
    const { dataTransfer } = event;
    if (!dataTransfer) return;
    const [file] = dataTransfer.files;
    read(file ? await file.text() : dataTransfer.getData("text/plain"));
  });
  addEventListener("paste", async (event) => {
    if (/** @type {Element} */ (event.target).closest("input, textarea, select")) return;
    const [file] = event.clipboardData?.files ?? [];
    const text = file ? await file.text() : (event.clipboardData?.getData("text/plain") ?? "");
    if (text.trim()) read(text);
  });
}
