// Declarations of SwiftUI and Combine that the example app uses, without behavior, for a type check on Linux.
// Their isolation follows the interface of the iOS 18 SDK as read in public sources.
@_exported import UIKit

// MARK: Apps and scenes

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

@MainActor @preconcurrency public protocol Scene {}

extension Scene {
    public func onChange<Value: Equatable>(
        of value: Value, perform action: @escaping (_ newValue: Value) -> Void
    ) -> some Scene { self }
}

@resultBuilder public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
}

public enum ScenePhase: Comparable, Hashable, Sendable {
    case background, inactive, active
}

// MARK: State

public protocol ObservableObject: AnyObject {}

@propertyWrapper public struct Published<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@MainActor @preconcurrency @propertyWrapper public struct StateObject<Model: ObservableObject> {
    nonisolated(unsafe) private let thunk: () -> Model
    public var wrappedValue: Model { thunk() }
    nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> Model) {
        self.thunk = thunk
    }
}

@MainActor @preconcurrency @propertyWrapper public struct ObservedObject<Model: ObservableObject> {
    public var wrappedValue: Model
    public init(wrappedValue: Model) { self.wrappedValue = wrappedValue }
}

public struct EnvironmentValues {
    public var scenePhase: ScenePhase { .active }
}

@propertyWrapper public struct Environment<Value> {
    public let wrappedValue: Value
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        wrappedValue = EnvironmentValues()[keyPath: keyPath]
    }
}

// MARK: Views

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

extension View {
    public func id<ID: Hashable>(_ id: ID) -> some View { self }
    public func font(_ font: Font?) -> some View { self }
    public func buttonStyle<Style: PrimitiveButtonStyle>(_ style: Style) -> some View { self }
}

@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { TupleView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

/// A view without a body of its own.
@MainActor @preconcurrency public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

public struct TupleView<Content>: PrimitiveView {
    nonisolated init() {}
}

public struct VStack<Content: View>: PrimitiveView {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
}

public struct HStack<Content: View>: PrimitiveView {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
}

public struct Text: PrimitiveView {
    nonisolated public init<Content: StringProtocol>(_ content: Content) {}
}

public struct ProgressView: PrimitiveView {
    nonisolated public init<Value: BinaryFloatingPoint>(value: Value?, total: Value = 1.0) {}
}

public struct Button: PrimitiveView {
    nonisolated public init<Content: StringProtocol>(
        _ title: Content, action: @escaping @MainActor () -> Void
    ) {}
}

public struct Font: Sendable {
    public static let footnote = Font()
}

@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}

public struct BorderedButtonStyle: PrimitiveButtonStyle {
    nonisolated public init() {}
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: UIView
    associatedtype Coordinator = Void
    typealias Context = UIViewRepresentableContext<Self>
    func makeUIView(context: Context) -> UIViewType
    func updateUIView(_ uiView: UIViewType, context: Context)
    func makeCoordinator() -> Coordinator
}

extension UIViewRepresentable {
    public var body: Never { fatalError() }
}

@MainActor @preconcurrency public struct UIViewRepresentableContext<View: UIViewRepresentable> {
    public let coordinator: View.Coordinator
}
