/** Whether it is the ID of a team's own template; the server's template IDs have no underscore. */
export const isTeamTemplateId = (text: unknown): text is string =>
  typeof text === 'string' && /^tpl_[0-9a-z]{1,32}$/.test(text);

/** Replaces an MCP template's ID for the user's own server. */
export const OWN_SERVER = 'own-server';
