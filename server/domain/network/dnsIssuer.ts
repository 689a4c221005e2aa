import { failureText, found, type DomainCheck, type DomainFacts } from './dnsFacts';
import type { CaaProperty } from './dnsRecords';
import { INGRESS_ISSUER } from './domains';

/** The challenge dstack-ingress answers, using a record it sets with its DNS token. */
const METHOD = 'dns-01';
const KNOWN_TAGS: ReadonlySet<string> = new Set([
  'issue',
  'issuewild',
  'iodef',
  'issuemail',
  'contactemail',
  'contactphone',
]);

/**
 * Checks whether the standard ingress's authority may issue for the domain (RFC 8659, RFC 8657). Never a
 * failure: TLS ends in the app, whose owner may use a certificate from another authority.
 */
export function judgeIssuer({ caa, name }: DomainFacts): DomainCheck {
  const last = caa.at(-1);
  const properties = last?.records.flatMap((record) => record.caa ?? []) ?? [];
  const allowing = relevant(properties, name.wildcard).filter((one) => permits(one) === null);
  const judged = (state: DomainCheck['state'], message: string, what_to_do: string | null): DomainCheck => ({
    id: 'issuer',
    state,
    message,
    what_to_do,
    wanted: [`0 ${name.wildcard ? 'issuewild' : 'issue'} "${INGRESS_ISSUER}"`],
    found: found(last?.records ?? [], ({ caa: one }) => one !== undefined && allowing.includes(one)),
    remembered_until: null,
  });
  if (last === undefined || last.outcome === 'failed')
    return judged(
      'unknown',
      `${failureText(last?.name ?? name.base, last?.failure ?? null)} Authorities don’t issue certificates while CAA lookups fail.`,
      null,
    );
  if (properties.length === 0)
    return judged(
      'passed',
      'There is no CAA record: any authority may issue certificates for the domain.',
      null,
    );
  const where =
    last.name === name.base ? '' : ` (found at ${last.name}, which applies to all names below it)`;
  const add = `Add a CAA record 0 ${name.wildcard ? 'issuewild' : 'issue'} "${INGRESS_ISSUER}" at ${name.base} if the app uses dstack-ingress. If its certificate comes from another authority, nothing needs to change.`;
  const strange = properties.find(({ critical, tag }) => critical && !KNOWN_TAGS.has(tag));
  if (strange)
    return judged(
      'warning',
      `A CAA record with the unknown tag “${strange.tag.slice(0, 32)}” is marked critical${where}: no authority may issue.`,
      'Remove that record, or its critical flag.',
    );
  const asked = relevant(properties, name.wildcard);
  if (asked.length === 0)
    return judged('passed', `The CAA records${where} don’t restrict who may issue: any authority may.`, null);
  if (allowing.length > 0) {
    const pinned = allowing.every(({ value }) => parameters(value).has('accounturi'));
    return judged(
      'passed',
      pinned
        ? `Let’s Encrypt may issue${where}, for one account only. Make sure it is your ingress’s account.`
        : `Let’s Encrypt may issue${where}.`,
      null,
    );
  }
  const reasons = new Set(asked.map(permits));
  return judged(
    'warning',
    reasons.has('method')
      ? `The CAA record allows Let’s Encrypt${where}, but not with the validation method of dstack-ingress (${METHOD}).`
      : `The CAA records${where} do not allow Let’s Encrypt to issue, where dstack-ingress gets its certificate.`,
    reasons.has('method') ? `Add ${METHOD} to validationmethods, or leave it out.` : add,
  );
}

/** RFC 8659 §4.3: for wildcards issuewild decides when present, otherwise issue. */
function relevant(properties: readonly CaaProperty[], wildcard: boolean): CaaProperty[] {
  const wild = properties.filter(({ tag }) => tag === 'issuewild');
  return wildcard && wild.length > 0 ? wild : properties.filter(({ tag }) => tag === 'issue');
}

/** Null when it permits Let's Encrypt to issue. */
function permits({ value }: CaaProperty): 'issuer' | 'method' | null {
  const issuer = (value.split(';')[0] ?? '').trim().toLowerCase();
  if (issuer !== INGRESS_ISSUER) return 'issuer';
  const methods = parameters(value).get('validationmethods');
  return methods === undefined || methods.split(',').some((one) => one.trim().toLowerCase() === METHOD)
    ? null
    : 'method';
}

function parameters(value: string): Map<string, string> {
  return new Map(
    value
      .split(';')
      .slice(1)
      .map((one): [string, string] => {
        const at = one.indexOf('=');
        return at < 0
          ? [one.trim().toLowerCase(), '']
          : [one.slice(0, at).trim().toLowerCase(), one.slice(at + 1).trim()];
      }),
  );
}
