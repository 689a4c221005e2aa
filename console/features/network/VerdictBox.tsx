import { LinkButton } from '../../ui/controls/Button';
import { PendingButton } from '../../ui/controls/PendingButton';
import type { CheckCvmNetwork, CvmNetwork } from '../../../generated/api/types.gen';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Glyph } from '../../ui/feedback/Glyph';
import type { Glyph as GlyphName, Tone } from '../../ui/feedback/status';
import { toneSoft, toneText } from '../../ui/feedback/ToneChip';
import { Answer, Box, Icon, Question, Text } from '../../ui/feedback/verdictStyles';
import { triedKey, type NetworkProps } from './types';
import { verdictOf } from './verdict';

const glyphs: Record<Tone, GlyphName> = {
  ok: 'check',
  attention: 'warning',
  error: 'cross',
  progress: 'spinner',
  simulated: 'hatch',
  neutral: 'question',
};

/** The reachability verdict and the button to test it. */
export function VerdictBox({
  cvm,
  network,
  tried,
  link,
  onTry,
}: Pick<NetworkProps, 'cvm' | 'tried' | 'link' | 'onTry'> & { network: CvmNetwork }) {
  const first = firstAddress(network);
  const last = first && tried.get(triedKey(first));
  const verdict = verdictOf({ ...cvm, network, check: newest(tried) });
  return (
    <>
      <Box style={{ backgroundColor: toneSoft(verdict.tone) }}>
        <Icon style={{ color: toneText(verdict.tone) }}>
          <Glyph name={glyphs[verdict.tone]} />
        </Icon>
        <div role="status">
          <Question>Is {cvm.name} reachable?</Question>
          <Answer>{verdict.title}</Answer>
          <Text>{verdict.text}</Text>
        </div>
        {verdict.go && !(verdict.worth_trying && first) ? (
          <LinkButton href={link(verdict.go.tab)} variant="outlined">
            {verdict.go.label}
          </LinkButton>
        ) : (
          verdict.worth_trying &&
          first && (
            <PendingButton
              variant="contained"
              pending={last?.pending === true}
              onClick={() => onTry(first, { fromVerdict: true })}
            >
              {last?.pending ? 'Testing…' : 'Test now'}
            </PendingButton>
          )
        )}
      </Box>
      {last?.problem && last.fromVerdict && (
        <div style={{ marginTop: 12 }}>
          <ErrorNotice problem={last.problem} />
        </div>
      )}
    </>
  );
}

function firstAddress({ ports }: CvmNetwork): CheckCvmNetwork | null {
  // Prefer the plain HTTP port behind the gateway, which most users open.
  const open = ports.filter(({ reach, port }) => reach === 'public' && port !== null && port !== 443);
  const port = (open[0] ?? ports.find(({ reach }) => reach === 'public'))?.port;
  return port === null || port === undefined
    ? null
    : { port, form: port === 443 ? formFor443(ports) : 'http', of: 'app' };
}

/** An app that only publishes 443 most likely terminates TLS itself. */
const formFor443 = (ports: CvmNetwork['ports']): 'http' | 'tls' =>
  ports.some(({ port, endpoints }) => port === 443 && endpoints.some(({ form }) => form === 'tls'))
    ? 'tls'
    : 'http';

const newest = (tried: NetworkProps['tried']) =>
  [...tried.values()]
    .flatMap(({ result }) => result ?? [])
    .sort((a, b) => b.checked_at.localeCompare(a.checked_at))[0] ?? null;
