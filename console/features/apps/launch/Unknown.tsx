import { cutWhole } from '../../../lib/texts/cutWhole';
import { Notice } from '../../../ui/feedback/Notice';

/** Says that the address names something that doesn't exist; the list to choose from is below. */
export function Unknown({ what, id }: { what: 'app' | 'template' | 'use case'; id: string }) {
  return (
    <Notice tone="attention" title={`Unknown ${what}.`}>
      There’s no {what} “{cutWhole(id, 64)}”{what === 'app' ? ' in this team' : ''}. Choose another.
    </Notice>
  );
}
