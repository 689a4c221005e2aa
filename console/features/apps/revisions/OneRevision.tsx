import styled from '@emotion/styled';
import type { AppRevisionDetail } from '../../../../generated/api/types.gen';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { KeyValue } from '../../../ui/data/KeyValue';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { Side, Stated } from './CompareParts';
import { factsOf, filesOf, imagesOf } from './differences';

const List = styled('ul')({ ...type.body, display: 'grid', gap: space(2) });
const Mono = styled('span')({ ...type.mono, overflowWrap: 'anywhere' });
const Text = styled('p')({ ...type.body, color: color.muted });

/** A revision's facts and files, if there is no other to compare it with. */
export function OneRevision({ revision }: { revision: AppRevisionDetail }) {
  const images = imagesOf(revision, revision);
  return (
    <>
      <KeyValue
        facts={factsOf(revision, revision).map(({ label, after }) => ({
          label,
          value: <Stated what={label} value={after} />,
        }))}
      />
      {filesOf(revision, revision).map(({ label, after }) => (
        <Panel key={label} title={label}>
          <CodeBlock code={after} label={label} maxHeight={560} />
        </Panel>
      ))}
      <Panel title="Secrets" subtitle="Names are measured. Values belong to each CVM.">
        {revision.allowed_envs.length === 0 ? (
          <Text>None.</Text>
        ) : (
          <List>
            {revision.allowed_envs.map((name) => (
              <li key={name}>
                <Mono>{name}</Mono>
              </li>
            ))}
          </List>
        )}
      </Panel>
      <Panel title="Images">
        {images.length === 0 ? (
          <Text>The Compose file specifies no image.</Text>
        ) : (
          <List>
            {images.map(({ service, after }) => (
              <li key={service}>
                {service}: <Side side={after} />
              </li>
            ))}
          </List>
        )}
      </Panel>
    </>
  );
}
