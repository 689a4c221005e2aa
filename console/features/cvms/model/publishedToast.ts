import { aiHref } from '../../../lib/ai/addresses';
import { AI_API_OFF } from '../../../lib/ai/apiOff';
import type { Toast } from '../../../ui/feedback/toastList';

/**
 * Announces that a model is served to its team's keys, and whether they can use it.
 * @param isApiOn whether the team's AI API is on; undefined if that isn't known
 */
export function publishedToast(model: string, teamSlug: string, isApiOn: boolean | undefined): Toast {
  const title = `${model} is served through the API`;
  if (isApiOn === false)
    return {
      tone: 'attention',
      title,
      message: `${AI_API_OFF} Its keys can use the model after an owner or admin turns the API on.`,
      link: { label: 'Confidential AI', href: aiHref({ team: teamSlug }) },
    };
  return { tone: 'ok', title, ...(isApiOn && { message: 'The team’s AI keys can use it now.' }) };
}
