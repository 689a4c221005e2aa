import { cdnOf } from './cdn';
import { after, failureText, found, type DomainCheck, type DomainFacts } from './dnsFacts';
import type { DnsRecord } from './dnsRecords';
import { gatewayAlias, splitBase } from './domains';
import { isPublicAddress } from './outbound';

/** Whether visitors come to the gateway: by CNAME to a name of it, or by its addresses. */
export function judgeAddress(facts: DomainFacts, apex: boolean): DomainCheck {
  const { a, aaaa, gateways, name } = facts;
  const bases = gateways.map(({ base_domain }) => splitBase(base_domain).host);
  const ours = new Set(gateways.flatMap(({ addresses }) => addresses));
  const isGatewayName = (host: string) => bases.some((base) => host === base || host.endsWith(`.${base}`));
  const chain = uniqueChain(a.chain, aaaa.chain);
  const viaName = chain.some(({ value }) => isGatewayName(value));
  const addresses = [...a.records, ...aaaa.records];
  const isRight = (record: DnsRecord) =>
    record.type === 'CNAME' ? isGatewayName(record.value) : viaName || ours.has(record.value);
  const wanted = apex ? [...ours] : bases[0] === undefined ? [] : [gatewayAlias(bases[0])];
  const judged = (state: DomainCheck['state'], message: string, what_to_do: string | null): DomainCheck => ({
    id: 'address',
    state,
    message,
    what_to_do,
    wanted,
    found: found([...chain, ...addresses], isRight),
    remembered_until: state === 'passed' ? null : forgotten(facts, isRight),
  });
  const set = apex
    ? `Set ALIAS, ANAME or a flattened CNAME to ${gatewayAlias(bases[0] ?? '')}, or the addresses of the gateway${ours.size > 0 ? ` (${[...ours].join(', ')})` : ''}.`
    : `Set a CNAME record at ${name.domain} to ${gatewayAlias(bases[0] ?? '')}.`;

  const broken = [a, aaaa].find(({ outcome }) => outcome === 'failed');
  if (broken?.failure === 'loop')
    return judged('failed', failureText(name.domain, 'loop'), `${set} Remove the other CNAME records.`);
  if (addresses.length === 0 && broken)
    return judged('unknown', failureText(name.domain, broken.failure), 'It is asked again by itself.');
  if (viaName) {
    if (addresses.length === 0)
      return judged(
        'failed',
        'The CNAME leads to the gateway’s domain, but the name there has no address.',
        set,
      );
    return apex && chain[0]?.name === name.base
      ? judged(
          'warning',
          'The domain leads to the gateway, but by a CNAME where a zone begins: mail and other records of the domain are hidden by it.',
          set,
        )
      : judged('passed', 'The domain leads to the gateway.', null);
  }
  if (addresses.length === 0)
    return chain.length > 0
      ? judged('failed', `The CNAME leads to ${chain.at(-1)?.value ?? ''}, which has no address.`, set)
      : judged(
          'failed',
          a.outcome === 'no_name' ? 'The domain is not in DNS yet.' : 'The domain has no address.',
          set,
        );

  const wrong = addresses.filter(({ value }) => !ours.has(value));
  if (wrong.length === 0) return judged('passed', 'The addresses of the domain are the gateway’s.', null);
  const cdn = cdnOf(
    chain.map(({ value }) => value),
    wrong.map(({ value }) => value),
  );
  if (cdn !== null)
    return judged(
      'failed',
      `The domain is behind a proxy (${cdn}). The proxy ends TLS, so the gateway does not see which domain was asked for, and visitors no longer speak with your app alone.`,
      `Switch the proxy off for this record (“DNS only”). ${set}`,
    );
  if (ours.size === 0)
    return judged(
      'unknown',
      'The addresses of the gateway itself could not be looked up.',
      'It is asked again by itself.',
    );
  if (wrong.length < addresses.length) {
    const onlySix = wrong.every(({ type }) => type === 'AAAA');
    return judged(
      'failed',
      onlySix
        ? 'The AAAA records lead elsewhere: visitors with IPv6 do not come to the gateway.'
        : 'Some of the addresses are not the gateway’s: it depends on luck where a visitor comes.',
      `Remove ${wrong.map(({ value }) => value).join(', ')}.`,
    );
  }
  return judged(
    'failed',
    wrong.every(({ value }) => !isPublicAddress(value))
      ? 'The domain leads to a private address, where nobody outside that network comes.'
      : chain.length > 0
        ? `The CNAME leads to ${chain.at(-1)?.value ?? ''}, not to the gateway.`
        : 'The domain leads to other addresses than the gateway’s.',
    `${set} Remove what leads elsewhere.`,
  );
}

/** IPv4 and IPv6 take the same way, unless an answer was cut off. */
function uniqueChain(...chains: (readonly DnsRecord[])[]): DnsRecord[] {
  const links = new Map(chains.flat().map((link) => [`${link.name} ${link.value}`, link]));
  return [...links.values()];
}

/** When the last wrong record, or the memory that there is none, has gone from every resolver. */
function forgotten({ a, aaaa, at }: DomainFacts, isRight: (record: DnsRecord) => boolean): Date | null {
  const wrong = [...a.chain, ...aaaa.chain, ...a.records, ...aaaa.records].filter((one) => !isRight(one));
  if (wrong.length > 0) return after(at, Math.max(...wrong.map(({ ttl }) => ttl)));
  return after(at, a.ttl);
}
