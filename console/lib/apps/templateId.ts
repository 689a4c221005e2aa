/** IDs of the templates that a team keeps for itself; those of the server have no underscore. */
export const isTeamTemplateId = (text: unknown): text is string =>
  typeof text === 'string' && /^tpl_[0-9a-z]{1,32}$/.test(text);

/** In place of an MCP template's ID: a server of the user's own. */
export const OWN_SERVER = 'own-server';
