import { cdnOf } from './cdn';
import { after, failureText, found, type DomainCheck, type DomainFacts } from './dnsFacts';
import type { DnsRecord } from './dnsRecords';
import { gatewayAlias, splitBase } from './domains';
import { isPublicAddress } from '../core/outbound';

/** Decides whether visitors reach the gateway: by CNAME to one of its names, or by its addresses. */
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
    : `Create a CNAME record for ${name.domain} pointing to ${gatewayAlias(bases[0] ?? '')}.`;

  const broken = [a, aaaa].find(({ outcome }) => outcome === 'failed');
  if (broken?.failure === 'loop')
    return judged('failed', failureText(name.domain, 'loop'), `${set} Remove the other CNAME records.`);
  if (addresses.length === 0 && broken)
    return judged('unknown', failureText(name.domain, broken.failure), 'It is checked again automatically.');
  if (viaName) {
    if (addresses.length === 0)
      return judged('failed', "The CNAME points to the gateway's domain, but that name has no address.", set);
    return apex && chain[0]?.name === name.base
      ? judged(
          'warning',
          "The domain routes to the gateway, but through a CNAME at the zone apex, which hides the domain's mail and other records.",
          set,
        )
      : judged('passed', 'The domain routes to the gateway.', null);
  }
  if (addresses.length === 0)
    return chain.length > 0
      ? judged('failed', `The CNAME points to ${chain.at(-1)?.value || '.'}, which has no address.`, set)
      : judged(
          'failed',
          a.outcome === 'no_name' ? 'The domain is not in DNS yet.' : 'The domain has no address.',
          set,
        );

  const wrong = addresses.filter(({ value }) => !ours.has(value));
  if (wrong.length === 0) return judged('passed', "The domain's addresses are the gateway's.", null);
  const cdn = cdnOf(
    chain.map(({ value }) => value),
    wrong.map(({ value }) => value),
  );
  if (cdn !== null)
    return judged(
      'failed',
      `The domain is behind a proxy (${cdn}). The proxy terminates TLS, so the gateway can't see the requested domain, and the proxy can read your visitors' traffic.`,
      `Turn off the proxy for this record (“DNS only”). ${set}`,
    );
  if (ours.size === 0)
    return judged(
      'unknown',
      "The gateway's own addresses couldn't be resolved.",
      'It is checked again automatically.',
    );
  if (wrong.length < addresses.length) {
    const onlySix = wrong.every(({ type }) => type === 'AAAA');
    return judged(
      'failed',
      onlySix
        ? "The AAAA records point elsewhere, so IPv6 visitors don't reach the gateway."
        : "Some of the addresses aren't the gateway's, so some visitors won't reach your app.",
      `Remove ${wrong.map(({ value }) => value).join(', ')}.`,
    );
  }
  return judged(
    'failed',
    wrong.every(({ value }) => !isPublicAddress(value))
      ? 'The domain points to a private address, which is unreachable from outside that network.'
      : chain.length > 0
        ? `The CNAME points to ${chain.at(-1)?.value ?? ''}, not to the gateway.`
        : "The domain points to addresses other than the gateway's.",
    `${set} Remove records that point elsewhere.`,
  );
}

/** IPv4 and IPv6 take the same path, unless an answer was truncated. */
function uniqueChain(...chains: (readonly DnsRecord[])[]): DnsRecord[] {
  const links = new Map(chains.flat().map((link) => [`${link.name} ${link.value}`, link]));
  return [...links.values()];
}

/** When the last wrong record, or cached absence, expires from every resolver. */
function forgotten({ a, aaaa, at }: DomainFacts, isRight: (record: DnsRecord) => boolean): Date | null {
  const wrong = [...a.chain, ...aaaa.chain, ...a.records, ...aaaa.records].filter((one) => !isRight(one));
  if (wrong.length > 0) return after(at, Math.max(...wrong.map(({ ttl }) => ttl)));
  return after(at, a.ttl);
}
