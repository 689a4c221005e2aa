/** Downloads text or bytes as a file. @param content may be parts of a text too large to join */
export function saveFile(name: string, content: string | Blob | string[], mime: string): void {
  const url = URL.createObjectURL(new Blob(Array.isArray(content) ? content : [content], { type: mime }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by then. Without this, the text would stay in memory until the page closes.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
