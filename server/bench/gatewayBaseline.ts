import express from 'express';
import { Agent, request } from 'undici';

/** The lower bound: Express that only forwards requests and answers. */
process.on('message', ({ port, upstream }: { port: number; upstream: string }) => {
  const dispatcher = new Agent({ connections: 256 });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/readyz', (_req, res) => void res.json({}));
  app.post('/v1/chat/completions', express.raw({ type: () => true }), async (req, res) => {
    const answer = await request(`${upstream}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: req.body as Buffer,
      dispatcher,
    });
    res.status(answer.statusCode).setHeader('Content-Type', String(answer.headers['content-type']));
    answer.body.pipe(res);
  });
  app.listen(port, '127.0.0.1');
});
