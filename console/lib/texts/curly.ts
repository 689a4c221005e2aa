/**
 * Shows the API's plain apostrophes as screens have them: "isn't" as "isn’t". Quotes stay, and so do names that users
 * chose: messages put them in “ ”. Screens, mails, events and notifications are written with ’; problem messages and
 * what terminals print with ', which clients compare and every terminal shows.
 */
export const curly = (text: string): string =>
  text.replaceAll(/“[^”]*”|[^“]+/gu, (part) => (part.startsWith('“') ? part : repaired(part)));

function repaired(text: string): string {
  const within = text.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, '’');
  // Of plurals ("the teams' logs"), unless it may be the end of a quotation.
  return /(?<!\p{L})'/u.test(within) ? within : within.replaceAll(/(?<=s)'(?=\s)/g, '’');
}
