/** Begins in a view what a key or the palette asked for. */
import { route, type Task } from './route.svelte'
import { watch } from './watch.svelte'

type Ways = { [What in Task['what']]?: (task: Extract<Task, { what: What }>) => void }

/** Begins the tasks of a view as they come, each once. */
export function begins(ways: Ways): void {
  watch(
    () => route.task,
    (task) => {
      const begin = task && (ways[task.what] as ((task: Task) => void) | undefined)
      if (!begin) return
      route.task = null
      begin(task)
    },
  )
}
