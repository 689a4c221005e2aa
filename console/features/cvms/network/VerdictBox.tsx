import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { CheckCvmNetwork, CvmNetwork } from '../../../../generated/api/types.gen';
import { LinkButton } from '../../../ui/controls/LinkButton';
import { Spinner } from '../../../ui/controls/Spinner';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Glyph } from '../../../ui/feedback/Glyph';
import type { Glyph as GlyphName, Tone } from '../../../ui/feedback/status';
import { toneSoft, toneText } from '../../../ui/feedback/StatusChip';
import { below, color, radius, space, type } from '../../../ui/theme';
import { triedKey, type NetworkProps } from './types';
import { verdictOf } from './verdict';

const Box = styled('div')({
  display: 'grid',
  gridTemplateColumns: '20px minmax(0, 1fr) auto',
  gap: `${space(1)} ${space(3)}`,
  alignItems: 'start',
  padding: space(4),
  borderRadius: radius.panel,
  '& > a, & > button': { alignSelf: 'center' },
  [below.phone]: {
    gridTemplateColumns: '20px minmax(0, 1fr)',
    '& > a, & > button': { gridColumn: 2, justifySelf: 'start', marginTop: space(2) },
  },
});
const Icon = styled('span')({ display: 'inline-flex', height: 20, alignItems: 'center', fontSize: 18 });
const Question = styled('h2')({ ...type.caption, color: color.muted, fontWeight: 500 });
const Answer = styled('p')({ ...type.heading });
const Text = styled('p')({ ...type.body, maxWidth: '72ch', overflowWrap: 'anywhere' });

const glyphs: Record<Tone, GlyphName> = {
  ok: 'check',
  attention: 'warning',
  error: 'cross',
  progress: 'spinner',
  simulated: 'hatch',
  neutral: 'question',
};

/** The first answer of the page, and the way to be sure of it. */
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
          <Question>Can people reach {cvm.name}?</Question>
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
            <Button
              variant="contained"
              color="primary"
              disabled={last?.pending}
              startIcon={last?.pending ? <Spinner /> : undefined}
              onClick={() => onTry(first)}
            >
              {last?.pending ? 'Trying…' : 'Try it now'}
            </Button>
          )
        )}
      </Box>
      {last?.problem && (
        <div style={{ marginTop: 12 }}>
          <ErrorNotice problem={last.problem} />
        </div>
      )}
    </>
  );
}

function firstAddress({ ports }: CvmNetwork): CheckCvmNetwork | null {
  // What answers over plain HTTP behind the gateway is what most people open.
  const open = ports.filter(({ reach, port }) => reach === 'public' && port !== null && port !== 443);
  const port = (open[0] ?? ports.find(({ reach }) => reach === 'public'))?.port;
  return port === null || port === undefined
    ? null
    : { port, form: port === 443 ? formFor443(ports) : 'http', of: 'app' };
}

/** An app that publishes 443 only most likely speaks TLS itself. */
const formFor443 = (ports: CvmNetwork['ports']): 'http' | 'tls' =>
  ports.some(({ port, endpoints }) => port === 443 && endpoints.some(({ form }) => form === 'tls'))
    ? 'tls'
    : 'http';

const newest = (tried: NetworkProps['tried']) =>
  [...tried.values()]
    .flatMap(({ result }) => result ?? [])
    .sort((a, b) => b.checked_at.localeCompare(a.checked_at))[0] ?? null;
