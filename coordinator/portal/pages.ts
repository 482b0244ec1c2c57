import type { PageRoute } from './frame/route.ts';
import { accountSessionPages } from './pages/account-sessions.ts';
import { accountPages } from './pages/account.ts';
import { allUserPages } from './pages/all-users.ts';
import { applicationPages } from './pages/applications.ts';
import { archivePages } from './pages/archives.ts';
import { auditPages } from './pages/audit.ts';
import { carbonPages } from './pages/carbon.ts';
import { compareSharePages } from './pages/compare-share.ts';
import { comparePages } from './pages/compare.ts';
import { customerPages } from './pages/customers.ts';
import { confirmPages } from './sessions/password-first.ts';
import { forwardPages } from './pages/forward.ts';
import { healthRulePages } from './pages/health-rules.ts';
import { jobActionPages } from './pages/job-actions.ts';
import { jobLinkPages } from './pages/job-links.ts';
import { jobListsPages } from './pages/job-lists.ts';
import { jobPages } from './pages/job.ts';
import { jobListPages } from './pages/jobs.ts';
import { keyPages } from './pages/keys.ts';
import { landingPages } from './pages/landing.ts';
import { machineHistoryPages } from './pages/machine.ts';
import { machinePages } from './pages/machines.ts';
import { marketPages } from './pages/market.ts';
import { memberPages } from './pages/members.ts';
import { newJobPages } from './pages/new-job.ts';
import { predictPages } from './pages/predict.ts';
import { productVotePages } from './pages/product-votes.ts';
import { productPages } from './pages/product.ts';
import { rentOrBuyPages } from './pages/rent-or-buy.ts';
import { secondFactorPages } from './pages/second-factor.ts';
import { signInCodePages } from './pages/sign-in-code.ts';
import { signInPages } from './pages/sign-in.ts';
import { signUpPages } from './pages/sign-up.ts';
import { startJobPages } from './pages/start-job.ts';
import { subscriptionPages } from './pages/subscription.ts';
import { taskSamplePages } from './pages/task-samples.ts';
import { taskListPages } from './pages/task-lists.ts';
import { taskResultPages, taskPages } from './pages/task.ts';
import { tokenIndexPages } from './pages/token-index.ts';
import { tokenPages } from './pages/tokens.ts';

/** Every page and form, one list per subject. Static paths come before those with a parameter in the same position. */
export const portalPages: readonly PageRoute[] = [
  ...landingPages,
  ...signInPages,
  ...signInCodePages,
  ...signUpPages,
  ...healthRulePages,
  ...jobListPages,
  ...newJobPages,
  ...startJobPages,
  ...jobActionPages,
  ...jobLinkPages,
  ...jobListsPages,
  ...jobPages,
  ...accountPages,
  ...accountSessionPages,
  ...secondFactorPages,
  ...confirmPages,
  ...memberPages,
  ...applicationPages,
  ...keyPages,
  ...auditPages,
  ...subscriptionPages,
  ...allUserPages,
  ...customerPages,
  ...taskSamplePages,
  ...taskListPages,
  ...taskResultPages,
  ...taskPages,
  ...machinePages,
  ...machineHistoryPages,
  ...compareSharePages,
  ...comparePages,
  ...marketPages,
  ...archivePages,
  ...forwardPages,
  ...predictPages,
  ...rentOrBuyPages,
  ...productVotePages,
  ...productPages,
  ...carbonPages,
  ...tokenPages,
  ...tokenIndexPages,
];
