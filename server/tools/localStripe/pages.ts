import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StripeAccount } from './account';
import { StripeFault } from './form';
import { CARDS, type CardDigits, type CheckoutSession } from './objects';

interface PageRequest {
  req: IncomingMessage;
  res: ServerResponse;
  pathname: string;
  text: string;
}

/** The hosted payment page: pays with a test card or cancels. */
export function answerPage(account: StripeAccount, { req, res, pathname, text }: PageRequest): void {
  const session = account.get('checkout.session', pathname.slice('/pay/'.length));
  if (req.method !== 'POST') return show(res, session, null);
  const digits = new URLSearchParams(text).get('card') ?? '4242';
  try {
    account.complete(session.id, Object.hasOwn(CARDS, digits) ? (digits as CardDigits) : '4242');
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return show(res, session, error.message);
  }
  res.writeHead(303, { location: session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id) }).end();
}

function show(res: ServerResponse, session: CheckoutSession, fault: string | null): void {
  const what =
    session.amount_total === null ? 'Save a card' : `Pay $${(session.amount_total / 100).toFixed(2)}`;
  const cards = Object.entries(CARDS)
    .map(
      ([digits, effect]) =>
        `<option value="${digits}"${digits === '4242' ? ' selected' : ''}>${digits} (${effect})</option>`,
    )
    .join('');
  const form =
    session.status === 'open'
      ? `<form method="post"><label>Card <select name="card">${cards}</select></label> <button>${what}</button></form>`
      : '<p>This page has expired.</p>';
  const back = session.cancel_url === null ? '' : `<p><a href="${escape(session.cancel_url)}">Back</a></p>`;
  res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Local Stripe</title>
<main><h1>${what}</h1><p>A local server instead of Stripe: no money moves.</p>
${fault === null ? '' : `<p role="alert">${escape(fault)}</p>`}${form}${back}</main></html>
`);
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
