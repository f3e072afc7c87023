(** * Connect Four, and what it means to win it or to hold it

    This file is the statement: whoever believes the theorem has to read it, and nothing else. *)
From Coq Require Import ZArith List.
Import ListNotations.
Open Scope Z_scope.

(** A square is (column, row), both counted from 1, rows from below. A player's discs are the list
    of the squares on which they lie. *)
Definition square : Type := Z * Z.

(** Four in line: there are a first square and a direction (right, up, or up or down to the right)
    such that it and the next three squares all hold a disc. *)
Definition four (discs : list square) : Prop :=
  exists c r dc dr, In (dc, dr) [(1, 0); (0, 1); (1, 1); (1, -1)] /\
    In (c, r) discs /\ In (c + dc, r + dr) discs /\
    In (c + 2 * dc, r + 2 * dr) discs /\ In (c + 3 * dc, r + 3 * dr) discs.

(** To win, or to hold: at least to draw. *)
Inductive aim := win | hold.

Section Board.
Variables width height : Z.

(** Where the next disc can come to lie: on the board, on an empty square, in the bottom row or on
    top of another disc. *)
Definition playable (mine yours : list square) (s : square) : Prop :=
  let (c, r) := s in
  1 <= c <= width /\ 1 <= r <= height /\ ~ In (c, r) (mine ++ yours) /\
  (r = 1 \/ In (c, r - 1) (mine ++ yours)).

(** It is my turn, and I can reach my goal whatever you do: by a disc that completes a line; or by
    a disc after which no reply of yours completes one, and I reach my goal after each of them (to
    win I need that there is a reply, since a full board is a draw); or, if a draw is enough,
    because the board is full. *)
Inductive reaches (goal : aim) : list square -> list square -> Prop :=
| by_a_line mine yours s :
    playable mine yours s -> four (s :: mine) -> reaches goal mine yours
| by_a_move mine yours s :
    playable mine yours s ->
    goal = hold \/ (exists t, playable (s :: mine) yours t) ->
    (forall t, playable (s :: mine) yours t ->
       ~ four (t :: yours) /\ reaches goal (s :: mine) (t :: yours)) ->
    reaches goal mine yours
| by_a_full_board mine yours :
    goal = hold -> (forall s, ~ playable mine yours s) -> reaches goal mine yours.

(** From the empty board: I begin; or you do. *)
Definition first_player_can (goal : aim) : Prop := reaches goal [] [].
Definition second_player_can (goal : aim) : Prop :=
  forall s, playable [] [] s -> reaches goal [] [s].
End Board.

(** The theorem of the usual board is [first_player_can 7 6 win]. *)
