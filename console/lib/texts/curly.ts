/**
 * Converts the API's plain apostrophes for display: "isn't" to "isn’t". Quotes stay, and so do user-chosen names,
 * which messages put in “ ”. Screens, emails, events and notifications are written with ’; problem messages and
 * terminal output with ', which clients compare and every terminal supports.
 */
export const curly = (text: string): string =>
  text.replaceAll(/“[^”]*”|[^“]+/gu, (part) => (part.startsWith('“') ? part : repaired(part)));

function repaired(text: string): string {
  const within = text.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, '’');
  // Apostrophes of plurals ("the teams' logs"), unless one may end a quotation.
  return /(?<!\p{L})'/u.test(within) ? within : within.replaceAll(/(?<=s)'(?=\s)/g, '’');
}
