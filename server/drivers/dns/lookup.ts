import { getServers } from 'node:dns';
import type { DnsFailure, DnsLookup, DnsRecord, DnsType } from '../../domain/network/dnsRecords';
import { exchange, parseServer, type DnsServer } from './exchange';
import type { DnsMessage } from './message';

const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Resolvers follow 8 to 16; a working domain needs no more. */
const MAX_CHAIN = 8;

const NOERROR = 0;
const SERVFAIL = 2;
const NXDOMAIN = 3;

/**
 * One lookup with what a diagnosis needs and the system's resolver hides: TTLs, the CNAME chain, and whether a name
 * doesn't exist or only lacks such records. Replies aren't validated (DNSSEC); that is the resolver's job, whose
 * refusal appears as `servfail`.
 */
export async function lookup(
  servers: readonly string[],
  name: string,
  type: DnsType,
  signal?: AbortSignal,
): Promise<DnsLookup> {
  const known = (servers.length > 0 ? servers : getServers()).map(parseServer);
  const asked = name.toLowerCase().replace(/\.$/, '');
  const chain: DnsRecord[] = [];
  const seen = new Set([asked]);
  const ended = (rest: Partial<DnsLookup> & Pick<DnsLookup, 'outcome'>): DnsLookup => ({
    name: asked,
    type,
    failure: null,
    records: [],
    ttl: null,
    ...rest,
    chain,
  });
  const failed = (failure: DnsFailure) => ended({ outcome: 'failed', failure });

  let current = asked;
  for (;;) {
    const answer = await ask(known, current, type, signal);
    if (typeof answer === 'string') return failed(answer);
    // A recursive server returns the whole chain, others its first link.
    const before = current;
    for (;;) {
      const here = answer.answers.filter((one) => one.name === current);
      const link = here.find((one) => one.type === 'CNAME');
      // A zone with both is broken (RFC 1034 §3.6.2), but the requested records exist.
      if (!link || here.some((one) => one.type === type)) break;
      chain.push(link);
      current = link.value;
      if (seen.has(current) || chain.length > MAX_CHAIN) return failed('loop');
      seen.add(current);
    }
    const records = answer.answers.filter((one) => one.type === type && one.name === current);
    if (records.length > 0) return ended({ outcome: 'records', records, ttl: least([...chain, ...records]) });
    if (answer.rcode === NXDOMAIN) return ended({ outcome: 'no_name', ttl: remembered(answer, chain) });
    if (current === before) return ended({ outcome: 'none', ttl: remembered(answer, chain) });
  }
}

const least = (records: readonly DnsRecord[]) => Math.min(...records.map(({ ttl }) => ttl));
const remembered = ({ negative_ttl }: DnsMessage, chain: readonly DnsRecord[]) =>
  negative_ttl === null ? (chain.length > 0 ? least(chain) : null) : negative_ttl;

/** Returns the first usable reply of any server, else the reason for the failure. */
async function ask(
  servers: readonly DnsServer[],
  name: string,
  type: DnsType,
  signal: AbortSignal | undefined,
): Promise<DnsMessage | DnsFailure> {
  let failure: DnsFailure = 'timeout';
  for (let round = 0; round < TRIES; round += 1) {
    for (const server of servers.slice(0, 3)) {
      signal?.throwIfAborted();
      const answer = await exchange(server, { name, type, timeout_ms: TIMEOUT_MS, signal });
      signal?.throwIfAborted();
      if (answer?.rcode === NOERROR || answer?.rcode === NXDOMAIN) return answer;
      if (answer) failure = answer.rcode === SERVFAIL ? 'servfail' : 'refused';
    }
    // A server that reports an error would only repeat it.
    if (failure !== 'timeout') return failure;
  }
  return failure;
}
