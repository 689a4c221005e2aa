import { styled } from '@mui/material/styles';
import { TOKEN_PATTERN } from '../../lib/tokens';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';

const Stack = styled('div')({ display: 'grid', gap: space(3), maxWidth: 720 });
const Text = styled('p')({ ...type.body, color: color.muted });

/** How a leaked token is found before somebody else finds it. */
export function ScannerPanel() {
  return (
    <Panel title="For secret scanners">
      <Stack>
        <Text>
          Every token of this product fits this pattern; its last six characters are a checksum, so a find is
          no accident. Add it to the scanner of your repositories.
        </Text>
        <CodeBlock code={TOKEN_PATTERN} title="Pattern for secret scanners" />
      </Stack>
    </Panel>
  );
}
