// Rules for user-chosen names and identifiers sent by clients.

/** Returns why a CVM can't have this name, or null. Names become host names and path segments. */
export function cvmNameProblem(name: string): string | null {
  if (name.length < 5 || name.length > 63) return 'Use 5 to 63 characters.';
  if (!/^[a-zA-Z]/.test(name)) return 'Start with a letter.';
  if (!/^[a-zA-Z0-9-]+$/.test(name)) return 'Use letters, digits and dashes only.';
  if (name.includes('--')) return 'Don’t use two dashes in a row.';
  if (name.endsWith('-')) return 'End with a letter or a digit.';
  if (RESERVED_CVM_NAMES.has(name.toLowerCase())) return `“${name}” is reserved.`;
  if (parseCvmIdentifier(name)?.kind !== 'name') return 'This looks like an identifier. Choose another name.';
  return null;
}

/** Segments under /cvms that are operations; a CVM with such a name would be unreachable. */
export const RESERVED_CVM_NAMES: ReadonlySet<string> = new Set([
  'provision',
  'paginated',
  'instance-ids',
  'batch-stop',
  'recycle-bin',
  'preflight',
  'workload',
  'eliza',
]);

const SLUG_MIN = 3;
const SLUG_MAX = 40;

/**
 * First path segments reserved for current or likely future product URLs: a team with such an address would be
 * unreachable or could impersonate the product.
 */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  `about account admin cases cli cost dashboard debt-settlement eliza explorer features gpu-tee
  invite launch login monitoring register reset-password setup-billing storybook templates
  transactions two-factor usage verify-email widget
  api api-docs assets badge badges docs events favicon.ico graphql healthz hooks index index.html
  livez logs manifest.json manifest.webmanifest metrics openapi openapi.json openapi.yaml ping
  prpc public readyz robots.txt rpc service-worker.js sitemap.xml src sse static stream sw.js
  ai-control v1 version webhooks well-known .well-known ws
  400 401 403 404 500 error forbidden not-found offline unauthorized
  auth callback logout oauth oidc passkey passkeys password saml session sessions sign-in sign-out
  sign-up signin signout signup sso verify
  apps billing catalogue create cvms dashboards delete deploy edit explore features-preview gpu
  gpus home invitations invoices kms kms-auth mcp me members models network new nodes orders organization
  organizations orgs pricing profile projects scim search settings team teams teepods tokens user users
  workspace workspaces
  abuse blog community contact enterprise help legal news press privacy security status support
  terms trust
  administrator anonymous internal official root staff system teehouse www
  false null true undefined constructor prototype __proto__`
    .split(/\s+/)
    .filter(Boolean),
);

/**
 * Returns why a team can't have this address, or null. `alsoReserved` lists additional first segments of this
 * installation (the configured agent framework's landing page).
 */
export function slugProblem(slug: string, alsoReserved: Iterable<string> = []): string | null {
  if (slug.length < SLUG_MIN || slug.length > SLUG_MAX) return `Use ${SLUG_MIN} to ${SLUG_MAX} characters.`;
  if (isReservedSlug(slug, alsoReserved)) return `“${slug}” is reserved.`;
  if (!/^[a-z0-9-]+$/.test(slug)) return 'Use lowercase letters, digits and dashes only.';
  if (!/^[a-z]/.test(slug)) return 'Start with a letter.';
  if (slug.includes('--')) return 'Don’t use two dashes in a row.';
  if (slug.endsWith('-')) return 'End with a letter or a digit.';
  return null;
}

export function isReservedSlug(slug: string, alsoReserved: Iterable<string> = []): boolean {
  const lower = slug.toLowerCase();
  if (RESERVED_SLUGS.has(lower)) return true;
  for (const word of alsoReserved) if (word.toLowerCase() === lower) return true;
  return false;
}

/** Converts a free-form name to a slug that `slugProblem` accepts ("Ünïted AI!" → "united-ai"). */
export function slugify(name: string, alsoReserved: Iterable<string> = []): string {
  const reserved = [...alsoReserved];
  let slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (!/^[a-z]/.test(slug)) slug = slug === '' ? 'my-team' : `team-${slug}`;
  if (slug.length < SLUG_MIN) slug = `${slug}-team`;
  slug = cut(slug);
  return isReservedSlug(slug, reserved) ? cut(`${slug}-team`) : slug;
}

function cut(slug: string): string {
  return slug.slice(0, SLUG_MAX).replace(/-+$/, '');
}

/** Interpretations of `{cvm_id}` in a path; hex and UUIDs are returned in lowercase, UUIDs with dashes. */
export type CvmIdentifier =
  | { kind: 'uuid'; vm_uuid: string }
  /**
   * `app_…` or `0x…`. The published SDK also rewrites a bare *instance* ID to `app_…`, so look for an instance
   * if no app has this ID.
   */
  | { kind: 'app_id'; app_id: string }
  | { kind: 'instance_id'; instance_id: string }
  /** 40 bare hex digits: an app ID or an instance ID. */
  | { kind: 'hex40'; hex: string }
  | { kind: 'hashid'; hashid: string }
  | { kind: 'numeric'; id: number }
  | { kind: 'name'; name: string };

/** Null if the text matches none. */
export function parseCvmIdentifier(text: string): CvmIdentifier | null {
  const lower = text.toLowerCase();
  if (/^[0-9a-f]{40}$/.test(lower)) return { kind: 'hex40', hex: lower };
  const app = /^(?:app_(?:0x)?|0x)([0-9a-f]{40})$/.exec(lower)?.[1];
  if (app) return { kind: 'app_id', app_id: app };
  const instance = /^instance_(?:0x)?([0-9a-f]{40})$/.exec(lower)?.[1];
  if (instance) return { kind: 'instance_id', instance_id: instance };
  const uuid = parseUuid(text);
  if (uuid) return { kind: 'uuid', vm_uuid: uuid };
  if (/^cvm_[0-9A-Za-z]{1,64}$/.test(text)) return { kind: 'hashid', hashid: text };
  if (/^[0-9]{1,15}$/.test(text)) return { kind: 'numeric', id: Number(text) };
  // Wider than cvmNameProblem: a lookup doesn't validate names.
  if (/^[A-Za-z][A-Za-z0-9-]{0,62}$/.test(text)) return { kind: 'name', name: text };
  return null;
}

/** Returns a UUID, with or without dashes, in lowercase with dashes; otherwise null. */
export function parseUuid(text: string): string | null {
  const match = /^([0-9a-f]{8})(-?)([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{12})$/i.exec(text);
  if (!match) return null;
  return [match[1], match[3], match[4], match[5], match[6]].join('-').toLowerCase();
}

/** Derives an app name from any text: 5 to 63 letters, digits and single dashes. */
export function appNameFrom(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 50)
    .replace(/-+$/, '');
  return cvmNameProblem(plain) === null ? plain : `${plain === '' ? 'my' : plain}-app`;
}
