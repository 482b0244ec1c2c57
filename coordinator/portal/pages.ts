import type { PageRoute } from './frame/route.ts';
import { accountPages } from './pages/account.ts';
import { signInPages } from './pages/sign-in.ts';

/** Every page and every form, one list for each subject. Static paths before those with a parameter in the same place. */
export const portalPages: readonly PageRoute[] = [...signInPages, ...accountPages];
