// The picture of a flow. Phases are connected by their handles, and tasks are dragged from one phase to another.
import "@xyflow/react/dist/style.css";
import { Group, Paper, Text, useComputedColorScheme } from "@mantine/core";
import { Controls, type Edge, Handle, MarkerType, type Node, type NodeProps, Position, ReactFlow, useNodesState } from "@xyflow/react";
import { type DragEvent, useEffect, useMemo, useState } from "react";
import { Status } from "../../shared/parts";
import { connect, disconnect, type Flow, idOf, moveTask, removePhase } from "./edit";
import { type Phase, readFlow } from "./graph";

export interface Shown {
  flow: Flow;
  states: Map<string, string>;
  onChange: (flow: Flow) => void;
}

type PhaseNode = Node<{ phase: Phase; states: Map<string, string>; onDrop: (task: string) => void }, "phase">;
const WIDTH = 270;
const TASK = "application/x-penstock-task";
const NODE_TYPES = { phase: PhaseBox };

export default function Graph({ flow, states, isLocked, onChange }: Shown & { isLocked: boolean }) {
  const scheme = useComputedColorScheme("light");
  const phases = useMemo(() => readFlow(flow), [flow]);
  const placed = useMemo(() => place(phases, states, (phase, task) => !isLocked && onChange(moveTask(flow, task, phase))), [phases, states, flow, isLocked, onChange]);
  const [nodes, setNodes, onNodesChange] = useNodesState(placed);
  const edges = useMemo(() => phases.flatMap(toEdges), [phases]);
  const shape = phases.map((phase) => `${phase.id}:${phase.level}:${phase.tasks.length}`).join();
  const [drawn, setDrawn] = useState(shape);
  useEffect(() => {
    // A phase that was dragged stays where it is, until the flow has another shape.
    setNodes((before) => placed.map((node) => ({ ...node, position: (drawn === shape && before.find(({ id }) => id === node.id)?.position) || node.position })));
    setDrawn(shape);
  }, [placed, shape]); // eslint-disable-line
  return (
    <div className="flow" role="group" aria-label={`Graph of ${phases.length} phases`}>
      <ReactFlow key={phases.length} nodes={nodes} edges={edges} nodeTypes={NODE_TYPES} colorMode={scheme} onNodesChange={onNodesChange} fitView fitViewOptions={{ maxZoom: 1 }} deleteKeyCode={isLocked ? null : ["Backspace", "Delete"]} nodesConnectable={!isLocked}
        onConnect={({ source, target }) => onChange(connect(flow, idOf(flow, source), idOf(flow, target)))}
        onEdgesDelete={(gone) => onChange(gone.reduce((left, { source, target }) => disconnect(left, source, target), flow))}
        onNodesDelete={(gone) => onChange(gone.reduce((left, { id }) => removePhase(left, id), flow))}>
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

function PhaseBox({ data: { phase, states, onDrop }, selected }: NodeProps<PhaseNode>) {
  function drop(event: DragEvent): void {
    event.preventDefault();
    const task = event.dataTransfer.getData(TASK);
    if (task) onDrop(task);
  }
  return (
    <Paper withBorder p="sm" w={WIDTH} shadow="xs" className={selected ? "phase phase-chosen" : "phase"} data-testid={`phase ${phase.id}`} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <Handle type="target" position={Position.Left} />
      <Text fw={600} size="sm" mb={6} className="wrap">{phase.name}</Text>
      {phase.tasks.map((task) => (
        <Group key={task.id} className="task nodrag" justify="space-between" wrap="nowrap" gap="xs" draggable onDragStart={(event) => event.dataTransfer.setData(TASK, task.id)}>
          <div style={{ minWidth: 0 }}>
            <Text size="sm" className="cut" td={task.isOff ? "line-through" : undefined}>{task.name}</Text>
            <Text size="xs" c="dimmed" className="cut">{task.target}</Text>
          </div>
          {states.has(task.id) && <Status of={states.get(task.id)!} />}
        </Group>
      ))}
      {phase.tasks.length === 0 && <Text size="xs" c="dimmed">no tasks</Text>}
      <Handle type="source" position={Position.Right} />
    </Paper>
  );
}

function place(phases: Phase[], states: Map<string, string>, onDrop: (phase: string, task: string) => void): PhaseNode[] {
  const heights = new Map<number, number>();
  return phases.map((phase) => {
    const y = heights.get(phase.level) ?? 0;
    heights.set(phase.level, y + 90 + Math.max(1, phase.tasks.length) * 52);
    return { id: phase.id, type: "phase", ariaLabel: `Phase ${phase.name}`, position: { x: phase.level * (WIDTH + 90), y }, data: { phase, states, onDrop: (task) => onDrop(phase.id, task) } };
  });
}

const toEdges = (phase: Phase): Edge[] =>
  phase.next.map(({ to, label }, at) => ({ id: `${phase.id} ${to} ${at}`, source: phase.id, target: to, label, ariaLabel: `From ${phase.id} to ${to}`, markerEnd: { type: MarkerType.ArrowClosed } }));
