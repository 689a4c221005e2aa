/** An example receiver that verifies signatures with the published client library. Doesn't contain the secret. */
export const SNIPPET = `import express from 'express';
import { parseWebhookEvent } from '@phala/cloud/webhook';

const app = express();
app.post('/teehouse', express.text({ type: 'application/json' }), (req, res) => {
  let event;
  try {
    // Throws if the signature is invalid or older than five minutes.
    event = parseWebhookEvent({
      headers: req.headers,
      body: req.body,
      secret: process.env.WEBHOOK_SECRET,
    });
  } catch {
    return res.sendStatus(401);
  }
  // Events can arrive twice: deduplicate by ID.
  console.log(event.id, event.event, event.data);
  res.sendStatus(204);
});
app.listen(8080);`;

export const EXAMPLE_RECEIVER = { title: 'Example receiver', code: SNIPPET, maxHeight: 280 };
