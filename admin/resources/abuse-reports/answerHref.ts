/** Returns the `mailto:` address for answering a reporter. Both values come from visitors. */
export const answerHref = (email: string, app_name: string): string =>
  `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}?subject=${encodeURIComponent(`Your report about ${app_name}`)}`;
