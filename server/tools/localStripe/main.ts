import { STRIPE_VERSION } from '../../drivers/payments/stripe';
import { startLocalStripe } from './server';

/** `npm run stripe`: stands in for Stripe for a server on this machine started by `npm run dev`. */
const PORT = 12_111;
const KEY = 'sk_test_local';
const SECRET = 'whsec_local';

const [webhook_url = 'http://localhost:3000/webhooks/stripe'] = process.argv.slice(2);
const { url } = await startLocalStripe({
  port: PORT,
  key: KEY,
  version: STRIPE_VERSION,
  webhook_secret: SECRET,
  webhook_url,
});
console.log(`Local Stripe at ${url}; events go to ${webhook_url}. Start the server with:

STRIPE_URL=${url} STRIPE_SECRET_KEY=${KEY} STRIPE_WEBHOOK_SECRET=${SECRET} npm run dev`);
