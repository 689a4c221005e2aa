import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Conversation } from './Conversation';
import { Turn } from './Turn';
import { givenBack, MAX_TURNS, recentTurns } from './turns';

const shown = (isBusy: boolean) =>
  renderToStaticMarkup(
    <Conversation
      turns={[
        <Turn key={1} from={null} text="What can you do?" />,
        <Turn key={2} from="ada" text="I answer questions.">
          <p>12 input tokens</p>
        </Turn>,
      ]}
      isBusy={isBusy}
      problem={null}
      label="Message to the agent"
      text=""
      maxLength={4000}
      onText={() => undefined}
      onSend={() => undefined}
      actions={<button type="submit">Send</button>}
      settings={<p>Port</p>}
    />,
  ).replace(/<style.*?<\/style>/gs, '');

it('shows the sender of each turn, and announces an answer in progress', () => {
  const html = shown(true);
  expect(html).toMatch(/<ol aria-label="Conversation" aria-live="polite" aria-busy="true"/);
  expect(html).toMatch(/<li data-role="user".*?You.*?What can you do\?.*?<\/li>/s);
  expect(html).toMatch(/<li data-role="other".*?ada.*?I answer questions\..*?12 input tokens.*?<\/li>/s);
  expect(html).toMatch(
    /<form aria-label="Message to the agent".*?Message.*?maxLength="4000".*?Send.*?<\/form>/s,
  );
  expect(shown(false)).toContain('aria-busy="false"');
});

it('keeps the newest turns of a long conversation', () => {
  const turns = Array.from({ length: MAX_TURNS + 5 }, (_, id) => ({ id }));
  const kept = recentTurns(turns);
  expect(kept).toHaveLength(MAX_TURNS);
  expect(kept.at(-1)).toEqual({ id: MAX_TURNS + 4 });
});

it('gives a failed message back without losing what was typed while it was on its way', () => {
  expect(givenBack('What can you do?', '')).toBe('What can you do?');
  expect(givenBack('What can you do?', 'And how')).toBe('What can you do?\n\nAnd how');
});
