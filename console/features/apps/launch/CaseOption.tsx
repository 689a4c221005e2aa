import styled from '@emotion/styled';
import { useNavigate } from '@tanstack/react-router';
import { USE_CASES } from '../../../lib/public/useCases';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { FormShell } from '../../../ui/forms/FormShell';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { Panel } from '../../../ui/layout/Panel';
import { color, space } from '../../../ui/theme';
import type { OptionProps } from './optionProps';
import { launchHref } from './search';
import { Unknown } from './Unknown';

const Fields = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Summary = styled('p')({ margin: 0, color: color.muted, maxWidth: '68ch' });

/** Starts from a published use case's Compose file, like the Deploy button on its page. */
export function CaseOption({
  start,
  blockedReason,
  base,
  slug,
}: OptionProps & { base: string; slug: string | undefined }) {
  const navigate = useNavigate();
  const chosen = USE_CASES.find((one) => one.slug === slug);
  const blocked = blockedReason ?? (chosen ? undefined : 'Choose a use case.');
  return (
    <Panel
      title="Use case"
      subtitle="Compose files that are ready to deploy. You can change everything before deploying."
    >
      <FormShell
        aria-label="Use case"
        error={null}
        pending={false}
        onSubmit={() =>
          chosen &&
          start({
            name: chosen.slug,
            compose: chosen.compose,
            secrets: chosen.secrets.map((key) => ({ key, value: '' })),
          })
        }
        submitLabel="Continue"
        {...(blocked === undefined ? {} : { blockedReason: blocked })}
      >
        <Fields>
          {slug !== undefined && !chosen && <Unknown what="use case" id={slug} />}
          <div style={{ maxWidth: 560 }}>
            <SelectInput
              label="Use case"
              value={chosen?.slug ?? ''}
              placeholder="Choose a use case"
              choices={USE_CASES.map(({ slug: value, title }) => ({ value, label: title }))}
              onChange={(event) =>
                void navigate({
                  href: launchHref(base, { way: 'case', case: event.target.value }),
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          </div>
          {chosen && (
            <>
              <Summary>{chosen.summary}</Summary>
              <CodeBlock code={chosen.compose} title="Compose file" maxHeight={360} />
            </>
          )}
        </Fields>
      </FormShell>
    </Panel>
  );
}
