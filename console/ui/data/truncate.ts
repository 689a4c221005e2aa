/** Shortens the middle and keeps both ends, so that ids stay recognizable: "app_3f2a…9c01". Counts characters, not UTF-16 units. */
export function truncateMiddle(text: string, most = 16): string {
  const characters = [...text];
  if (characters.length <= most || most < 3) return text;
  const tail = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - tail).join('')}…${characters.slice(-tail).join('')}`;
}
