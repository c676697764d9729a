import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/base.css'
import './ui/forced-colors.css'
import { App } from './app.tsx'
import { createHostClient } from './host-client.ts'
import { createPlanner } from './store/planner.ts'
import { PlannerProvider } from './store/use-planner.ts'

const planner = createPlanner(createHostClient())
void planner.lab.start()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <PlannerProvider value={planner}>
        <App />
      </PlannerProvider>
    </StrictMode>,
  )
}
