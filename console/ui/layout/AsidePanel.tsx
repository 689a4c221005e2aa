import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { CopyId } from '../data/CopyId';
import { color, space, type } from '../theme';

const Root = styled('div')({ display: 'grid', gap: space(6), minWidth: 0 });
const Title = styled('h2')({ ...type.caption, fontWeight: 600, color: color.muted, marginBottom: space(2) });
const List = styled('dl')({ display: 'grid', gap: space(3), minWidth: 0 });
const Term = styled('dt')({ ...type.caption, color: color.faint });
const Value = styled('dd')({ ...type.small, minWidth: 0, overflowWrap: 'anywhere' });

/** The right column, in parts with small headings. */
export function AsidePanel({ sections }: { sections: readonly { title: string; content: ReactNode }[] }) {
  return (
    <Root>
      {sections.map((section) => (
        <section key={section.title}>
          <Title>{section.title}</Title>
          {section.content}
        </section>
      ))}
    </Root>
  );
}

export interface AsideFact {
  label: string;
  value?: ReactNode;
  /** An ID, hash or address: shown in monospace, shortened in the middle, copied in full. */
  copy?: string;
}

export function Facts({ facts }: { facts: readonly AsideFact[] }) {
  return (
    <List>
      {facts.map((fact) => (
        <div key={fact.label}>
          <Term>{fact.label}</Term>
          <Value>
            {fact.copy === undefined ? (
              (fact.value ?? '—')
            ) : (
              <CopyId id={fact.copy} what={fact.label} most={26} />
            )}
          </Value>
        </div>
      ))}
    </List>
  );
}
