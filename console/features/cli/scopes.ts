/** What a token with this scope can do, in words. An unknown scope is shown as it is. */
const known: Record<string, string> = {
  'user:profile': 'See who you are, your teams and your SSH keys; add and remove SSH keys',
  'cvms:*': 'See, deploy, change, start, stop and delete the team’s apps and CVMs, and read their logs',
  'nodes:*': 'See the hosts the team can deploy on',
  'admin:read': 'Read the admin area of the whole platform',
  'admin:*': 'Change nodes, teepods and prices of the whole platform',
};

export const scopeInWords = (scope: string): string => known[scope] ?? scope;

/** Reaches beyond the team: worth a second look. */
export const isPlatformScope = (scope: string): boolean => scope.startsWith('admin:') || scope === '*';

/** Codes as people type them: "abcd efgh" is ABCD-EFGH. */
export function normalCode(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return letters.length === 8 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}
