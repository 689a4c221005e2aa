import { ensureDocument } from '../../../db/billing/invoiceDocuments';
import { Problem } from '../../../domain/core/problem';
import type { Context, StreamReply } from '../../types';

/** Returns the PDF of an invoice as a download. @param number becomes its name */
export async function invoiceFile(
  { db }: Pick<Context, 'db'>,
  { id, number }: { id: number; number: string },
): Promise<StreamReply> {
  const file = await ensureDocument(db, id);
  if (!file) throw new Problem('NOT_FOUND', { message: `The invoice ${number} has no PDF: it is a draft.` });
  return {
    status: 200,
    content_type: 'application/pdf',
    headers: {
      'Content-Disposition': `attachment; filename="${number}.pdf"`,
      'Content-Length': String(file.content.length),
      ETag: `"${file.sha256.toString('hex')}"`,
    },
    stream: once(file.content),
  };
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
