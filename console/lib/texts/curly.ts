/** Shows the server's plain apostrophes as the page's own texts have them: "isn't" as "isn’t". */
export const curly = (text: string): string => text.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, '’');
