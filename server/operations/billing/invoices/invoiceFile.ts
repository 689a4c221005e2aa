import { ensureDocument } from '../../../db/billing/invoiceDocuments';
import { Problem } from '../../../domain/core/problem';
import type { Context, StreamReply } from '../../types';
import { fileReply } from './fileReply';

/** Returns the PDF of an invoice as a download. @param number becomes its name */
export async function invoiceFile(
  { db }: Pick<Context, 'db'>,
  { id, number }: { id: number; number: string },
): Promise<StreamReply> {
  const file = await ensureDocument(db, id);
  if (!file) throw new Problem('NOT_FOUND', { message: `The invoice ${number} has no PDF: it is a draft.` });
  return fileReply(number, file.content, `"${file.sha256.toString('hex')}"`);
}
