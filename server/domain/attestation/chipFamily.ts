import { hexToBytes } from '../../../console/lib/bytes';
import { DerError } from '../../../console/lib/attestation/x509/der';
import { parsePckExtension } from '../../../console/lib/attestation/x509/pckExtension';
import { parsePemChain, PemError } from '../../../console/lib/attestation/x509/pem';
import { parseQuote, PCK_CHAIN, QuoteError } from '../../../console/lib/attestation/quote';

/** Identifies the Intel collateral a quote needs. */
export interface ChipFamily {
  /** Family, model, stepping and SKU of the platform: 12 hex digits, lowercase. */
  fmspc: string;
  /** Which Intel authority certified the chip. */
  ca: 'platform' | 'processor';
}

/**
 * Read from the chip's certificate inside the quote (hex), unverified; null when there is none or it can't be
 * read.
 */
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
