import { isIP } from 'node:net';
import { z } from 'zod';
import { whole } from './configVariable';
import { isNetwork } from './domain/core/outbound';

/** A netmask such as 255.255.0.0. */
const isMask = (text: string) =>
  isIP(text) === 4 &&
  /^1+0*$/.test(
    text
      .split('.')
      .map((n) => Number(n).toString(2).padStart(8, '0'))
      .join(''),
  );

/** What Express accepts in a list. It refuses networks of all addresses. */
const isProxy = (entry: string) => {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true;
  const [address = '', mask = '', ...more] = entry.split('/');
  if (isIP(address) === 4 && isMask(mask) && more.length === 0) return true;
  return isNetwork(entry) && !/\/0+$/.test(entry);
};

/** TRUST_PROXY, in the format of Express's `trust proxy` setting. */
export const trustProxy = z.union([
  z.literal('off').transform(() => false as const),
  whole(1, 16),
  z
    .string()
    .transform((value) => value.split(',').map((entry) => entry.trim()))
    .pipe(z.array(z.string().refine(isProxy))),
]);
