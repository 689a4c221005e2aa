/** A receiver that checks who is calling, with the published client library. The secret is not part of it. */
export const SNIPPET = `import express from 'express';
import { parseWebhookEvent } from '@phala/cloud/webhook';

const app = express();
app.post('/teehouse', express.text({ type: 'application/json' }), (req, res) => {
  let event;
  try {
    // Throws when it is not signed with the secret, or older than five minutes.
    event = parseWebhookEvent({
      headers: req.headers,
      body: req.body,
      secret: process.env.WEBHOOK_SECRET,
    });
  } catch {
    return res.sendStatus(401);
  }
  // An event can come twice: its id tells.
  console.log(event.id, event.event, event.data);
  res.sendStatus(204);
});
app.listen(8080);`;
