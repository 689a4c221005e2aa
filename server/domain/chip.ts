import { hexToBytes } from '../../console/lib/bytes';
import { DerError } from '../../console/lib/attestation/der';
import { parsePckExtension } from '../../console/lib/attestation/pckExtension';
import { parsePemChain, PemError } from '../../console/lib/attestation/pem';
import { parseQuote, PCK_CHAIN, QuoteError } from '../../console/lib/attestation/quote';

/** Which statements of Intel's a quote needs beside it. */
export interface ChipFamily {
  /** Family, model, stepping and SKU of the platform: 12 hex, lower case. */
  fmspc: string;
  /** Which of Intel's authorities certified the chip. */
  ca: 'platform' | 'processor';
}

/** Read from the chip's certificate inside the quote (hex), unverified; null when there is none that can be read. */
export function chipFamily(quote: string): ChipFamily | null {
  const bytes = hexToBytes(quote);
  if (!bytes) return null;
  try {
    const { certificationType, certificationData } = parseQuote(bytes);
    if (certificationType !== PCK_CHAIN) return null;
    const [leaf, authority] = parsePemChain(
      Buffer.from(certificationData)
        .toString('latin1')
        .replace(/\0{1,8}$/, ''),
    );
    if (!leaf || !authority) return null;
    return {
      fmspc: parsePckExtension(leaf).fmspc,
      ca: authority.commonName.includes('Processor') ? 'processor' : 'platform',
    };
  } catch (error) {
    if (error instanceof QuoteError || error instanceof PemError || error instanceof DerError) return null;
    throw error;
  }
}
