/** Downloads text or bytes as a file. */
export function saveFile(name: string, content: string | Blob, mime: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: mime }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by then. Without this, the text would stay in memory until the page closes.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
